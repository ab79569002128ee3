/** What can go wrong at a door of an upstream; the README's table of magic certs uses these words. */
export type Fault =
  | "not_found"
  | "hang"
  | "server_error"
  | "quota"
  | "quota_no_retry_after"
  | "quota_brief"
  | "bot_wall"
  | "browser_refused"
  | "refused"
  | "other_cert"
  | "huge"
  | "redirect"
  | "torn"
  | "html"
  | "reset"
  | "bare_string"
  | "no_data"
  | "invalid_number"
  | "empty_record"
  | "encrypted"
  | "lookup_error";

/** One host of one upstream, by what it serves: the API, the public pages, the picture files, the logins. */
export type Door =
  | "psa-api"
  | "psa-web"
  | "psa-images"
  | "cgc-api"
  | "cgc-web"
  | "cgc-images"
  | "tag-api"
  | "tag-web"
  | "tag-images"
  | "cardladder-sign-in"
  | "cardladder"
  | "cardsiq";
