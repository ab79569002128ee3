import type { LeadingColumn } from "./column-layout.ts";
import { ReviewCell } from "../review/ReviewCell.tsx";
import { RowCheckbox } from "../selection/RowCheckbox.tsx";

const SELECT: LeadingColumn = {
  id: "select",
  header: "Selected",
  head: "selects",
  width: 34,
  hasFixedWidth: true,
  cell: (row, { tabIndex, isSelected, onSelect }) => (
    <RowCheckbox row={row} tabIndex={tabIndex} isSelected={isSelected} onSelect={onSelect} />
  ),
};

const LOOK: LeadingColumn = {
  id: "look",
  header: "Needs a look",
  head: "message",
  width: 304,
  hasFixedWidth: true,
  cell: (row, { tabIndex, review }) => <ReviewCell row={row} tabIndex={tabIndex} review={review} />,
};

export const LEADING_COLUMNS: readonly LeadingColumn[] = [SELECT];
export const LEADING_LOOK_COLUMNS: readonly LeadingColumn[] = [SELECT, LOOK];
