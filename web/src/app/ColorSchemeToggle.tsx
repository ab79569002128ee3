import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

/** Follows the system setting until used; then this device remembers the choice. */
export function useSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const label = isDark ? "Switch to light" : "Switch to dark";
  return { isDark, label, toggle: () => setColorScheme(isDark ? "light" : "dark") };
}

export function ColorSchemeToggle() {
  const { isDark, label, toggle } = useSchemeToggle();
  return (
    <ActionIcon size={34} aria-label={label} title={label} onClick={toggle}>
      {isDark ? <IconSun size={18} stroke={1.75} /> : <IconMoon size={18} stroke={1.75} />}
    </ActionIcon>
  );
}
