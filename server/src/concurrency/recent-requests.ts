const RECENT_MS = 300;

/** The latest request, and the latest one of somebody else. */
let latest = { person: "", at: -Infinity };
let before = latest;

export function noteRequest(person: string): void {
  if (person !== latest.person) before = latest;
  latest = { person, at: performance.now() };
}

/** Whether others than this person have sent requests just now. */
export function hasOthers(person: string): boolean {
  const { at } = latest.person === person ? before : latest;
  return performance.now() - at < RECENT_MS;
}
