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
  const frame = document.createElement("iframe");
  frame.name = `download-${performance.now()}`;
  frame.hidden = true;
  frame.addEventListener("load", () => {
    // Only displayed content fires `load`: the empty frame itself, and an error response.
    if (frame.contentDocument?.URL === "about:blank") return;
    frame.remove();
    onRefused();
  });
  const form = document.createElement("form");
  form.method = "post";
  form.action = address;
  form.target = frame.name;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(frame, form);
  form.submit();
  form.remove();
}

/** Downloads from a URL of our own server. A file name from the server overrides `fileName`. */
export function saveFrom(address: string, fileName = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
