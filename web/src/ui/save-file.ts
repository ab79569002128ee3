/** Hands a text to the browser's downloads. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  saveFrom(address, fileName);
  URL.revokeObjectURL(address);
}

/**
 * Lets the browser download what our own server answers a form with. As with `saveFrom` the file goes to the disk as it
 * comes, however large it is, and one that breaks off is a failed download; a script that read the answer would hold all
 * of it in memory. A frame takes the answer, so that one that is no file does not replace the page: `onRefused` is told
 * of it. Nothing tells when a download has begun, and without its frame it would not begin: the frame stays.
 */
export function saveFromForm(address: string, fields: Readonly<Record<string, string>>, onRefused: () => void): void {
  const frame = document.createElement("iframe");
  frame.name = `download-${performance.now()}`;
  frame.hidden = true;
  frame.addEventListener("load", () => {
    // Only what is shown loads: the empty frame itself, and an answer that is no file.
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

/** Lets the browser download from an address of our own server; its progress and failure are the browser's to show. The server's name for it goes before ours. */
export function saveFrom(address: string, fileName = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
