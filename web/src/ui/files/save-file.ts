export function saveText(fileName: string, text: string, type = "text/csv"): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  saveFrom(address, fileName);
  URL.revokeObjectURL(address);
}

/**
 * Downloads the server's response to a form post. Like `saveFrom`, the browser streams the file to disk, whatever its
 * size, and marks an interrupted download as failed; a script would hold the whole response in memory. The response
 * targets a hidden frame, so that an error response doesn't replace the page; it calls `onRefused`. The frame stays,
 * because nothing reports the start of a download and removing the frame would cancel it.
 */
export function saveFromForm(address: string, fields: Readonly<Record<string, string>>, onRefused: () => void): void {
  const name = `download-${performance.now()}`;
  const frame = Object.assign(document.createElement("iframe"), { name, hidden: true });
  frame.addEventListener("load", () => {
    // Only displayed content fires `load`: the empty frame itself, and an error response.
    if (frame.contentDocument?.URL === "about:blank") return;
    frame.remove();
    onRefused();
  });
  const form = Object.assign(document.createElement("form"), { method: "post", action: address, target: name });
  for (const [field, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: field, value }));
  document.body.append(frame, form);
  form.submit();
  form.remove();
}

/** Downloads from a URL of our own server. A file name from the server overrides `fileName`. */
export function saveFrom(address: string, fileName = ""): void {
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName });
  document.body.append(link);
  link.click();
  link.remove();
}
