import { Loader } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { StatusDot } from "../../ui/StatusDot.tsx";
import styles from "./ProbeCard.module.css";
import type { ProbeResult } from "./probe.ts";

type ProbeCardProps<Answer> = {
  title: string;
  path: string;
  /** Null during the call. */
  result: ProbeResult<Answer> | null;
  okMessage: string;
  /** The response as name-value pairs. */
  facts: (answer: Answer) => readonly (readonly [string, string])[];
};

/** One server call and its result. */
export function ProbeCard<Answer>({ title, path, result, okMessage, facts }: ProbeCardProps<Answer>): ReactNode {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId} aria-busy={result === null}>
      <div className={styles.head}>
        <div>
          <h3 className={styles.title} id={titleId}>
            {title}
          </h3>
          <code className={styles.path}>GET {path}</code>
        </div>
        {result !== null && <span className={styles.duration}>{result.durationMs} ms</span>}
      </div>
      <output className={styles.outcome}>
        {result === null && (
          <span className={styles.waiting}>
            <Loader size={14} aria-hidden="true" /> Asking…
          </span>
        )}
        {result?.isOk === true && <StatusDot tone="good">{okMessage}</StatusDot>}
        {result?.isOk === false && <StatusDot tone="bad">{errorMessage(result.error)}</StatusDot>}
      </output>
      {result?.isOk === false && errorReference(result.error) !== null && (
        <p className={styles.path}>{errorReference(result.error)}</p>
      )}
      {result?.isOk === true && (
        <dl className={styles.facts}>
          {facts(result.answer).map(([name, value]) => (
            <div className={styles.fact} key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
