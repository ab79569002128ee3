/** The product's logo: a slab with its label line. Decorative; shown beside the name. */
export function SlabMark({ height = 26 }: { height?: number }) {
  return (
    <svg viewBox="0 0 20 26" height={height} width={(height * 20) / 26} aria-hidden="true" focusable="false">
      <rect x="1.1" y="1.1" width="17.8" height="23.8" rx="4.4" fill="none" stroke="var(--sd-ink)" strokeWidth="2.2" />
      <rect x="4.4" y="4.6" width="11.2" height="4" rx="1.2" fill="var(--sd-accent)" />
    </svg>
  );
}
