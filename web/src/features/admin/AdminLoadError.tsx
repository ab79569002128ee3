import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { errorReference, errorWords } from "../../api/error-words.ts";
import classes from "./AdminLoadError.module.css";

type AdminLoadErrorProps = { error: unknown; isRetrying: boolean; onRetry: () => void };

/** What a part of the admin's desk shows when it could not load, in SPEC's words. */
export function AdminLoadError({ error, isRetrying, onRetry }: AdminLoadErrorProps): ReactNode {
  const reference = errorReference(error);
  return (
    <div className={classes.box} role="alert">
      <IconAlertTriangle className={classes.icon} size={20} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.message}>Error loading admin data: {errorWords(error)}</p>
        {reference !== null && <p className={classes.reference}>{reference}</p>}
      </div>
      <Button onClick={onRetry} loading={isRetrying}>
        Try Again
      </Button>
    </div>
  );
}
