/** The record of GetByCertNumber. Fields without a value are omitted, never null. */
export type PsaCert = {
  CertNumber: string;
  SpecID: number;
  SpecNumber: string;
  LabelType: string;
  /** Always true if present, and only on Lighthouse labels. */
  ReverseBarCode?: boolean;
  Year: string;
  Brand: string;
  Category: string;
  CardNumber: string;
  Subject: string;
  Variety: string;
  IsPSADNA: boolean;
  IsDualCert: boolean;
  GradeDescription: string;
  /** Missing in 14 of the 23 records of the dual-cert dump. GradeDescription then has the grade. */
  CardGrade?: string;
  AutographGrade?: string;
  PrimarySigners?: string[];
  TotalPopulation: number;
  TotalPopulationWithQualifier: number;
  PopulationHigher: number;
};

/** An image of one side. `imageId` is PSA's own id, not the cert number. */
export type PsaScan = { imageId: string; token: string; isFront: boolean };

/** The text of a public page, label by label and in order. */
export type PsaPage = {
  /** Today's definition list, or the table used before 2024. */
  layout: "dl" | "table-2023";
  title: string;
  rows: [label: string, value: string][];
  estimateUsd: number | null;
  /** Null if the page is sent before its population is known. */
  population: { atGrade: number; higher: number } | null;
};

export type PsaCard = { cert: PsaCert; scans: PsaScan[]; page: PsaPage; backFirst: boolean };

/** The headline of PSA's page. */
export function psaTitle(cert: PsaCert): string {
  return [cert.Year, cert.Brand, cert.CardNumber && `#${cert.CardNumber}`, cert.Subject, cert.Variety]
    .filter((part) => part !== "")
    .join(" ");
}

/** The page's "Item Information" rows. A row without a value is omitted, not blank. */
export function pageRows(cert: PsaCert): [string, string][] {
  const rows: [string, string][] = [
    ["Cert Number", cert.CertNumber],
    ["Item Grade", cert.CardGrade ?? cert.GradeDescription],
    ["Label Type", cert.LabelType === "LighthouseLabel" ? "W/ FUGITIVE INK TECHNOLOGY" : ""],
    ["Reverse Cert/Barcode", cert.ReverseBarCode ? "YES" : ""],
    ["Year", cert.Year],
    ["Brand/Title", cert.Brand],
    ["Subject", cert.Subject],
    ["Card Number", cert.CardNumber],
    ["Category", cert.Category],
    ["Variety/Pedigree", cert.Variety],
  ];
  return rows.filter(([, value]) => value !== "");
}
