import type { SourceDoor } from "@slabdesk/contract/api/sources.ts";
import type { ReactNode } from "react";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import classes from "./DoorLines.module.css";
import { callWords, doorTimes, durationWords, percentWords, STATE_LOOKS } from "./source-words.ts";

/** The hosts of an upstream, one line each: how it stands, since and until when, and what it was asked today. */
export function DoorLines({ doors, nowMs }: { doors: readonly SourceDoor[]; nowMs: number }): ReactNode {
  return (
    <ul className={classes.doors}>
      {doors.map((door) => (
        <li key={door.name} className={classes.door}>
          <span className={classes.name}>{door.title}</span>
          <StatusDot tone={STATE_LOOKS[door.state].tone} isBusy={door.state === "probing"}>
            {STATE_LOOKS[door.state].word}
          </StatusDot>
          <span className={classes.sentence}>{doorTimes(door, nowMs)}</span>
          <span className={classes.traffic}>
            {callWords(door.callsToday)}
            {door.successRate !== null && ` · ${percentWords(door.successRate)} succeeded`}
            {door.p50Ms !== null && ` · ${durationWords(door.p50Ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
