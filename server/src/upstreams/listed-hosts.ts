/** Whether a URL is http(s) and on a listed host. An entry "host:port" matches that port only, "host" every port. */
export function isOnListedHost(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.includes(url.hostname) || hosts.includes(`${url.hostname}:${port}`);
}
