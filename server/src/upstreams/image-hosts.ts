/** The default of `IMAGE_HOSTS`, as recorded in 2025-2026: PSA's CDN, CCG's buckets (CGC), TAG's CDN and bucket. */
export const GRADER_IMAGE_HOSTS: readonly string[] = [
  "d1htnxwo4o0jhw.cloudfront.net",
  "ccg-imaging-cgc-tradingcards-production.s3.amazonaws.com",
  "ccg-imaging-cgc-comics-production.s3.amazonaws.com",
  "ccg-imaging-csg-cards-production.s3.amazonaws.com",
  "d39lwrz0lm7c9r.cloudfront.net",
  "devblock-tag.s3.us-west-2.amazonaws.com",
];

/** Whether a URL is http(s) and on a listed host. An entry "host:port" matches that port only, "host" every port. */
export function isOnListedHost(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.includes(url.hostname) || hosts.includes(`${url.hostname}:${port}`);
}
