import { describe, expect, test } from "vitest";
import { ConfigError, parseConfig } from "./config.ts";

describe("UPSTREAMS, if not set,", () => {
  test.each([
    ["demo", {}],
    ["demo", { TAG_NAME: "v1.2", PSA_HOME: "/opt/psa", CGC_BUILD_ID: "7", CARDSIQ_THEME: "dark" }],
    ["demo", { PSA_API_TOKEN: " " }],
    ["live", { PSA_API_TOKEN: "token" }],
    ["live", { TAG_WEB_URL: "https://tag.example" }],
    ["live", { CARDLADDER_EMAIL: "someone@example.com" }],
    ["live", { CARDSIQ_API_KEY: "key" }],
  ])("is %s with %o", (upstreams, environment) => {
    expect(parseConfig(environment).upstreams).toBe(upstreams);
  });
});

describe("TRUSTED_PROXIES", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["10.0.0.1", ["10.0.0.1"]],
    [" 10.0.0.1, 172.16.0.0/12,fd00::/8 ", ["10.0.0.1", "172.16.0.0/12", "fd00::/8"]],
  ])("%j is %j", (given, proxies) => {
    expect(parseConfig({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual(proxies);
  });

  test.each(["true", "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.1 10.0.0.2", "::1/129"])(
    "%j is refused",
    (given) => {
      expect(() => parseConfig({ TRUSTED_PROXIES: given })).toThrow(ConfigError);
      expect(() => parseConfig({ TRUSTED_PROXIES: given })).toThrow("TRUSTED_PROXIES: takes addresses and networks");
    },
  );
});

describe("a setting that cannot be used", () => {
  test.each([
    ["ROLE", "boss", "must be one of all, web, worker"],
    ["SCRAPING", "maybe", "must be one of on, off"],
    ["PORT", "http", "must be a whole number from 0 to 65535"],
    ["IMAGE_CACHE_MB", "0", "must be a whole number from 1 to 100000000"],
    ["IMAGE_CACHE_MB", "5 GB", "must be a whole number from 1 to 100000000"],
    ["CARD_DELAY_MS", "-1", "must be a whole number from 0 to 600000"],
    ["ADMIN_EMAIL", "admin", "must be an email address"],
    ["IMAGE_HOSTS", "http://x/y", "must be hosts like"],
    ["PSA_API_URL", "psacard.com", "must be an http or https URL"],
    ["DATABASE_URL", "mysql://x", "must be a URL like postgres://"],
    ["LANE_CONCURRENCY", "psa=0", "must give lanes"],
  ])("%s=%s is refused with its name and the allowed values", (name, value, message) => {
    expect(() => parseConfig({ [name]: value })).toThrow(`${name}: ${message}`);
  });
});
