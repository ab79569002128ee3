// Runs before the first paint, so that a remembered scheme never flashes the other one. A file of its own, because
// the content security policy refuses inline scripts.
(function () {
  var stored = null;
  try {
    stored = window.localStorage.getItem("slabdesk-color-scheme");
  } catch {
    stored = null;
  }
  var system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  var scheme = stored === "light" || stored === "dark" ? stored : system;
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
})();
