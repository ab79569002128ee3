import { describe, expect, it } from "vitest";
import { PARSE_FAILURE_MESSAGE } from "../sheet/csv.ts";
import { SHEET_COLUMNS } from "../sheet/header.ts";
import { TEMPLATE_LINES } from "../sheet/session-name.ts";
import { ACTIVITY_TYPES, newActivitySchema } from "./activity.ts";
import { cardQuerySchema, cardSchema, DEFAULT_MODE, MODES } from "./cards.ts";
import {
  DEACTIVATED_MESSAGE,
  MIN_PASSWORD_LENGTH,
  NEW_USER_MESSAGES,
  newUserSchema,
  PROFILE_FAILURE_MESSAGE,
  profileSchema,
  roleSchema,
} from "./people.ts";
import { resultRowSchema } from "./results.ts";
import { runOptionsSchema, scanSessionSchema, sessionStatusSchema } from "./sessions.ts";
import { adminSessionsQuerySchema } from "./stats.ts";

const has = (schema: { shape: object }, fields: string): void =>
  expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(fields.split(", ")));

/** The specification's texts, copied verbatim so that every change is deliberate. */
describe("the specified names and texts", () => {
  it("data sources have the specified values, api-with-fallback first", () => {
    expect(MODES).toEqual(["api-with-fallback", "api", "scraping"]);
    expect(DEFAULT_MODE).toBe("api-with-fallback");
    expect(runOptionsSchema.parse({}).mode).toBe("api-with-fallback");
  });

  it("the template has the specified columns and an example of each company", () => {
    expect(Object.values(SHEET_COLUMNS).join(", ")).toBe("CertNumber, GradingCompany, Price, Notes");
    expect(TEMPLATE_LINES[0].join(", ")).toBe("CertNumber, GradingCompany, Price, Notes");
    expect(TEMPLATE_LINES.slice(1).map((line) => line[1])).toEqual(["PSA", "CGC", "TAG"]);
  });

  it("messages have the exact text", () => {
    expect(DEACTIVATED_MESSAGE).toBe("Your account has been deactivated. Please contact an administrator.");
    expect(PROFILE_FAILURE_MESSAGE).toBe("Failed to load user profile");
    expect(PARSE_FAILURE_MESSAGE).toBe("Error parsing CSV file. Please check the format.");
    expect(NEW_USER_MESSAGES).toEqual({
      required: "Please fill in all required fields (Email, Password, and Full Name)",
      email: "Please enter a valid email address",
      password: "Password must be at least 6 characters long",
    });
  });

  it("roles, the default role, and the minimum password length are as specified", () => {
    expect(roleSchema.options).toEqual(["user", "admin"]);
    expect(newUserSchema.parse({}).role).toBe("user");
    expect(MIN_PASSWORD_LENGTH).toBe(6);
  });

  it("activity types start with the specified ones; metadata defaults to an empty object", () => {
    expect(ACTIVITY_TYPES.slice(0, 17).join(", ")).toBe(
      "app_access, navigation, csv_upload, template_download, scan_started, scan_completed, scan_stopped, csv_download, results_cleared, image_swap, pricing_fetch, login, logout, scan_session_created, user_created, user_status_changed, session_deleted",
    );
    expect(newActivitySchema.parse({ activityType: "navigation", description: "x" }).metadata).toEqual({});
  });

  it("people, sessions, rows, and cards have the specified wire fields", () => {
    has(
      profileSchema,
      "id, email, fullName, role, isActive, totalScans, totalCardsProcessed, lastLogin, createdAt, updatedAt",
    );
    has(
      scanSessionSchema,
      "id, sessionName, csvFilename, totalCards, processedCards, processingMode, status, startedAt, completedAt, uploadDate",
    );
    has(
      resultRowSchema,
      "itemName, player, year, brand, cardNumber, grade, sport, variety, imageUrl, imageUrlBack, certUrl, certNumber, gradingCompany, price, notes, error",
    );
    has(resultRowSchema, "price, customerPrice, inventoryName, notes");
    has(
      cardSchema,
      "itemName, player, year, brand, cardNumber, grade, sport, variety, imageUrl, imageUrlBack, certUrl, certNumber, gradingCompany, inventoryName",
    );
    has(cardSchema, "language, cardSet, game, cardName, variant1, graderNotes, tagScore, tagGrade, setName");
  });

  it("session states are as specified", () => {
    expect(sessionStatusSchema.options).toEqual(["processing", "completed", "failed"]);
  });

  it("the admin's session list has the specified page size", () => {
    expect(adminSessionsQuerySchema.parse({}).limit).toBe(50);
  });

  it("the single-card routes accept the specified query", () => {
    expect(cardQuerySchema.parse({ includeFrontAndBack: "true", forceRefresh: "true" })).toEqual({
      includeFrontAndBack: true,
      forceRefresh: true,
    });
    expect(cardQuerySchema.parse({}).forceRefresh).toBe(true);
  });
});
