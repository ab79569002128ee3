import { Group, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { PropsWithChildren } from "react";
import { adminUsersQuery } from "../../../api/users.ts";
import type { FilterProps } from "../admin-filter.ts";
import { nameOf } from "../users/user-messages.ts";
import quiet from "../../../ui/form/quiet.module.css";
import styles from "./ListPanel.module.css";

export function ListFilters({ filter, onFilter, children }: PropsWithChildren<FilterProps>) {
  const { user, ...mark } = filter;
  const users = (useQuery(adminUsersQuery).data ?? [])
    .map((one) => ({ id: one.id, name: nameOf(one), email: one.email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const namesakes = Map.groupBy(users, ({ name }) => name);
  const choices = users.map(({ id, name, email }) => ({
    value: id,
    label: namesakes.get(name)?.length === 1 ? name : `${name} (${email})`,
  }));
  // The filter's user is a choice even before the user list has loaded.
  if (user !== undefined && !users.some(({ id }) => id === user.id))
    choices.unshift({ value: user.id, label: user.name });
  return (
    <Group gap="xs" className={`${styles.filters} ${quiet.quiet}`}>
      <NativeSelect
        size="xs"
        aria-label="Person"
        value={user?.id ?? ""}
        onChange={({ currentTarget }) => {
          const chosen = users.find(({ id }) => id === currentTarget.value);
          onFilter(chosen ? { ...mark, user: { id: chosen.id, name: chosen.name } } : mark);
        }}
        data={[{ value: "", label: "Everyone" }, ...choices]}
      />
      {children}
    </Group>
  );
}
