/** Reading a million nested arrays takes a second. */
const DEEPEST_JSON = 200;

/** Whether JSON nests too deep to parse. Looks at each character once. Brackets in strings don't count. */
export function isNestedTooDeep(json: string): boolean {
  let [depth, isInString] = [0, false];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') isInString = !isInString;
    else if (isInString) at += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > DEEPEST_JSON) return true;
  }
  return false;
}
