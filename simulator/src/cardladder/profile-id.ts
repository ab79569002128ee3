import recordedCard from "../recorded/cardladder-card.json" with { type: "json" };

const RECORDED = { profileId: recordedCard.result.profileId, certNumber: recordedCard.result.slabSerial };

/**
 * CardLadder's id of a card, "psa-1813135". Real ids are unrelated to certs. These contain the reversed cert, because
 * an estimate is requested by profile only and must map back to the cert.
 */
export function profileIdOf(grader: string, certNumber: string): string {
  if (grader === "psa" && certNumber === RECORDED.certNumber) return RECORDED.profileId;
  // A TAG number starts with a letter, whose character code has two digits.
  const digits = certNumber.replace(/^[A-Z]/, (letter) => String(letter.charCodeAt(0)));
  return `${grader}-${reversed(digits)}`;
}

/** The slab of a profile id. Null if the text isn't a profile id. */
export function slabOfProfile(profileId: string): { grader: string; certNumber: string } | null {
  if (profileId === RECORDED.profileId) return { grader: "psa", certNumber: RECORDED.certNumber };
  const [, grader, backwards] = /^(psa|cgc|tag)-(\d+)$/.exec(profileId) ?? [];
  if (grader === undefined || backwards === undefined) return null;
  const digits = reversed(backwards);
  const certNumber = grader === "tag" ? `${String.fromCharCode(Number(digits.slice(0, 2)))}${digits.slice(2)}` : digits;
  return { grader, certNumber };
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}
