import { colorsTuple, createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from "@mantine/core";
import controls from "./theme-controls.module.css";

/** Primary buttons are dark, destructive ones (`color="bad"`) red, light ones in the accent color, others outlined, by the tokens in `theme.css`. */
const variantColors: VariantColorsResolver = (input) => {
  const isBad = input.color === "bad";
  const color = isBad ? "var(--sd-bad)" : "var(--sd-ink)";
  const hover = "var(--sd-hover)";
  const border = "1px solid transparent";
  const variants: Record<string, ReturnType<VariantColorsResolver>> = {
    filled: isBad
      ? { background: color, hover: color, color: "var(--sd-on-bad)", border }
      : { background: color, hover: "var(--sd-ink-hover)", color: "var(--sd-on-ink)", border },
    subtle: { background: "transparent", hover, color, border },
    default: { background: "var(--sd-surface)", hover, color, border: "1px solid var(--sd-line)" },
    light: { background: "var(--sd-accent-soft)", hover: "var(--sd-accent-soft)", color: "var(--sd-accent)", border },
  };
  return variants[input.variant] ?? defaultVariantColorsResolver(input);
};

const tokens = {
  "--mantine-color-body": "var(--sd-surface)",
  "--mantine-color-text": "var(--sd-ink)",
  "--mantine-color-dimmed": "var(--sd-muted)",
  "--mantine-color-placeholder": "var(--sd-muted)",
  "--mantine-color-anchor": "var(--sd-accent)",
  "--mantine-color-error": "var(--sd-bad)",
  "--mantine-color-default-border": "var(--sd-line)",
  "--mantine-color-disabled": "var(--sd-fill)",
  "--mantine-color-disabled-color": "var(--sd-muted)",
  "--mantine-color-disabled-border": "var(--sd-line)",
  "--mantine-primary-color-filled": "var(--sd-accent)",
  "--mantine-primary-color-filled-hover": "var(--sd-accent)",
} as const;

export const cssVariables = () => ({ variables: {}, light: tokens, dark: tokens });

const dialog = {
  overlayProps: { color: "var(--sd-scrim)", backgroundOpacity: 1 },
  closeButtonProps: { "aria-label": "Close" },
};
const dialogProps = {
  classNames: { content: controls.float },
  styles: { title: { fontWeight: 650, fontSize: "1rem", lineHeight: 1.35 } },
};
const checkIcon = { icon: { color: "var(--sd-on-accent)" } };

const shadow = "var(--sd-shadow)";
const floatShadow = "var(--sd-shadow-float)";

/** The app's Mantine theme. Buttons are outlined by default; use `variant="filled"` for a screen's primary button. */
export const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  primaryColor: "accent",
  black: "#15171c",
  cursorType: "pointer",
  respectReducedMotion: true,
  variantColorResolver: variantColors,
  defaultRadius: "md",
  radius: { xs: "0.25rem", sm: "0.375rem", md: "0.5625rem", lg: "0.75rem", xl: "0.875rem" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  shadows: { xs: shadow, sm: shadow, md: floatShadow, lg: floatShadow, xl: floatShadow },
  headings: {
    fontWeight: "650",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.4" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  colors: {
    accent: colorsTuple("var(--sd-accent)"),
    gray: colorsTuple("#f8f8f6 #f5f5f2 #ecebe6 #e6e5e0 #d2d1cb #8b8f96 #646a73 #4b5058 #2c3038 #15171c".split(" ")),
    dark: colorsTuple("#eceef2 #c3c8d1 #8f96a3 #6d7480 #262a33 #23272f #1c2027 #16191f #0f1115 #0a0c0f".split(" ")),
  },
  // Plain objects, because a component's `extend` would load the component with the sign-in page.
  components: {
    Button: { defaultProps: { variant: "default" }, classNames: { root: controls.button } },
    ActionIcon: { defaultProps: { variant: "subtle" }, classNames: { root: controls.actionIcon } },
    Input: { classNames: { input: controls.input } },
    InputWrapper: {
      styles: {
        label: { marginBottom: "0.375rem", fontWeight: 550, fontSize: "0.8125rem" },
        description: { fontSize: "0.75rem" },
        error: { marginTop: "0.375rem", fontSize: "0.8125rem" },
      },
    },
    Checkbox: { classNames: { input: controls.check }, styles: checkIcon },
    Radio: { classNames: { radio: controls.check }, styles: checkIcon },
    Modal: { defaultProps: { ...dialog, centered: true, radius: "xl" }, ...dialogProps },
    Drawer: { defaultProps: { ...dialog, position: "right" }, ...dialogProps },
    Title: { defaultProps: { lts: "-0.015em" } },
    // A bare <header> would be a page banner to a screen reader; a dialog's header is not.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Menu: { classNames: { dropdown: controls.float } },
    Popover: { classNames: { dropdown: controls.float } },
    Tooltip: {
      defaultProps: { openDelay: 350 },
      styles: { tooltip: { background: "var(--sd-ink)", color: "var(--sd-on-ink)", fontSize: "0.75rem" } },
    },
    Notification: {
      defaultProps: { radius: "lg" },
      classNames: { root: controls.float },
      styles: { title: { color: "var(--sd-ink)", fontWeight: 600 }, description: { color: "var(--sd-ink)" } },
    },
  },
});
