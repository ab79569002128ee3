/** The record of GetByCertNumber. Fields without a value are left out, never null. */
export type PsaCert = {
  CertNumber: string;
  SpecID: number;
  SpecNumber: string;
  LabelType: string;
  /** Only ever true, and only on Lighthouse labels. */
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
  /** Left out of 14 of the 23 records of the dual-cert dump: the grade is then in GradeDescription alone. */
  CardGrade?: string;
  AutographGrade?: string;
  PrimarySigners?: string[];
  TotalPopulation: number;
  TotalPopulationWithQualifier: number;
  PopulationHigher: number;
};

/** A slab photo. `imageId` is PSA's own and is not the cert number. */
export type PsaScan = { imageId: string; token: string; isFront: boolean };

/** What a public page prints besides the pictures, label by label and in order. */
export type PsaPage = {
  /** The definition list of today, or the table of before 2024. */
  layout: "dl" | "table-2023";
  title: string;
  rows: [label: string, value: string][];
  estimateUsd: number | null;
  /** Null when the page is sent before its population is known. */
  population: { atGrade: number; higher: number } | null;
};

export type PsaCard = { cert: PsaCert; scans: PsaScan[]; page: PsaPage; backFirst: boolean };

/** The headline of PSA's page. */
export function psaTitle(cert: PsaCert): string {
  return [cert.Year, cert.Brand, cert.CardNumber && `#${cert.CardNumber}`, cert.Subject, cert.Variety]
    .filter((part) => part !== "")
    .join(" ");
}

/** The page's "Item Information" as PSA words it; a row without a value is absent, not blank. */
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
