import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { TwoStepSetUp } from "./TwoStepSetUp.tsx";

type TwoStepScreenProps = { onDone: () => void; onLogout: () => Promise<void> };

/** Shown to an administrator who must set up two-step sign-in first. */
export function TwoStepScreen({ onDone, onLogout }: TwoStepScreenProps): ReactNode {
  return (
    <FormCard
      title="Set up two-step sign-in"
      hint="Administrators need it here. You need an authenticator app on your phone."
    >
      <TwoStepSetUp
        onDone={onDone}
        leave={
          <Button variant="subtle" fullWidth onClick={() => void onLogout()}>
            Logout
          </Button>
        }
      />
    </FormCard>
  );
}
