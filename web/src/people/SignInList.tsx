import { Button } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from "@tabler/icons-react";
import type { SignInEntry } from "@slabdesk/contract/api/people.ts";
import type { ReactNode } from "react";
import { momentWords } from "../ui/moment-words.ts";
import { Tag } from "../ui/Tag.tsx";
import { type DeviceKind, deviceOf } from "./device-words.ts";
import classes from "./SignInList.module.css";

const ICONS: Record<DeviceKind, typeof IconTerminal2> = {
  desk: IconDeviceDesktop,
  phone: IconDeviceMobile,
  program: IconTerminal2,
};

type SignInListProps = {
  signIns: readonly SignInEntry[];
  /** One is being ended. */
  isBusy: boolean;
  onEnd: (signIn: SignInEntry) => void;
};

/** Where somebody is signed in; each but the one that looks can be ended. */
export function SignInList({ signIns, isBusy, onEnd }: SignInListProps): ReactNode {
  return (
    <ul className={classes.list} aria-label="Sign-ins">
      {signIns.map((signIn) => {
        const { kind, words } = deviceOf(signIn.userAgent);
        const Icon = ICONS[kind];
        return (
          <li key={signIn.id} className={classes.entry}>
            <Icon className={classes.icon} size={20} stroke={1.5} aria-hidden="true" />
            <div className={classes.facts}>
              <p className={classes.device}>
                {words}
                {signIn.isCurrent && (
                  <Tag tone="good" look="small">
                    This browser
                  </Tag>
                )}
              </p>
              <p className={classes.fact}>
                {signIn.address ?? "Address unknown"} · since{" "}
                <time dateTime={signIn.createdAt}>{momentWords(signIn.createdAt)}</time>
              </p>
              <p className={classes.fact}>
                Last seen <time dateTime={signIn.lastSeenAt}>{momentWords(signIn.lastSeenAt)}</time>
              </p>
            </div>
            {!signIn.isCurrent && (
              <Button
                size="compact-sm"
                disabled={isBusy}
                aria-label={`Sign out ${words}, since ${momentWords(signIn.createdAt)}`}
                onClick={() => onEnd(signIn)}
              >
                Sign out
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
