/** The brand of a PSA certificate for an autograph alone. Its grade is the autograph's, so no card price applies to it. */
export const AUTOGRAPH_BRAND = "PSA/DNA";
