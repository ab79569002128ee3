const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
/** The end record. Only a comment of at most 65,535 bytes may follow it. */
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY_LENGTH = 46;

/**
 * The unpacked size of a ZIP file in bytes, from its directory, without unpacking. Null if it has no directory, because
 * it is truncated or not a ZIP. A size that only the 64-bit format can hold counts as infinite.
 */
export function unpackedSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let size = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_LENGTH > view.byteLength || view.getUint32(at, true) !== ENTRY) return null;
    const unpacked = view.getUint32(at + 24, true);
    size += unpacked === 0xffffffff ? Number.POSITIVE_INFINITY : unpacked;
    at += ENTRY_LENGTH + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}

function findEnd(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  for (let at = view.byteLength - END_LENGTH; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return null;
}
