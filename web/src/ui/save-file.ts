/** Hands a text to the browser's downloads. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  saveFrom(address, fileName);
  URL.revokeObjectURL(address);
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
