import type { ActivityEntry } from "../../../api/activity.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";

/** An entry's description, as a link to the session or else the person that it is about. */
export function EntryLink({ entry: { activityType, description, metadata } }: { entry: ActivityEntry }) {
  const { sessionId, userId, ownerId } = metadata;
  if (typeof sessionId === "string" && activityType !== "session_deleted")
    return <SessionLink id={sessionId}>{description}</SessionLink>;
  const person = userId ?? ownerId;
  return typeof person === "string" ? <PersonLink id={person}>{description}</PersonLink> : description;
}
