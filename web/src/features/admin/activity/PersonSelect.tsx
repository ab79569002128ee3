import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminUsersQuery } from "../../../api/admin-client.ts";
import type { AdminFilter } from "../admin-filter.ts";

type AdminUser = NonNullable<AdminFilter["user"]>;

type PersonSelectProps = { user: AdminUser | undefined; onUser: (user: AdminUser | undefined) => void };

/** Whose entries a list shows: everybody's, or those of one of the users. */
export function PersonSelect({ user, onUser }: PersonSelectProps): ReactNode {
  const users = useQuery(adminUsersQuery).data ?? [];
  const choices = users
    .map(({ id, fullName, email }) => ({ id, name: fullName.trim() || email, email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const names = new Set<string>();
  const twice = new Set(choices.map(({ name }) => name).filter((name) => names.size === names.add(name).size));
  const isListed = user === undefined || choices.some(({ id }) => id === user.id);
  return (
    <NativeSelect
      size="xs"
      aria-label="Person"
      value={user?.id ?? ""}
      onChange={({ currentTarget }) => {
        const chosen = choices.find(({ id }) => id === currentTarget.value);
        onUser(chosen && { id: chosen.id, name: chosen.name });
      }}
      data={[
        { value: "", label: "Everybody" },
        // The one a mark stands for, before the users are there.
        ...(isListed ? [] : [{ value: user.id, label: user.name }]),
        ...choices.map(({ id, name, email }) => ({ value: id, label: twice.has(name) ? `${name} (${email})` : name })),
      ]}
    />
  );
}

/** The filter with another person, or with everybody. */
export function withUser(filter: AdminFilter, user: AdminUser | undefined): AdminFilter {
  const { user: _, ...mark } = filter;
  return user === undefined ? mark : { ...mark, user };
}
