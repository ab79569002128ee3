import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminUsersQuery } from "../../../api/users.ts";
import type { AdminFilter } from "../admin-filter.ts";
import styles from "./ListPanel.module.css";

type AdminUser = NonNullable<AdminFilter["user"]>;

type ListFiltersProps = {
  filter: AdminFilter;
  onFilter: (filter: AdminFilter) => void;
  children?: ReactNode;
};

/** The tools of a list: the filter by user, and the list's own. */
export function ListFilters({ filter, onFilter, children }: ListFiltersProps): ReactNode {
  const { user, ...mark } = filter;
  return (
    <div className={`${styles.tools} ${styles.quiet}`}>
      <PersonSelect
        user={user}
        onUser={(chosen) => onFilter(chosen === undefined ? mark : { ...mark, user: chosen })}
      />
      {children}
    </div>
  );
}

type PersonSelectProps = { user: AdminUser | undefined; onUser: (user: AdminUser | undefined) => void };

function PersonSelect({ user, onUser }: PersonSelectProps): ReactNode {
  const users = useQuery(adminUsersQuery).data ?? [];
  const choices = users
    .map(({ id, fullName, email }) => ({ id, name: fullName.trim() || email, email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const names = new Set<string>();
  const repeatedNames = new Set(choices.map(({ name }) => name).filter((name) => names.size === names.add(name).size));
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
        // Include the filter's user before the user list has loaded.
        ...(isListed ? [] : [{ value: user.id, label: user.name }]),
        ...choices.map(({ id, name, email }) => ({
          value: id,
          label: repeatedNames.has(name) ? `${name} (${email})` : name,
        })),
      ]}
    />
  );
}
