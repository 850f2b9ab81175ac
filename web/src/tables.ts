import { type ReportCell, type ReportTable, writeGrid } from 'gradus/report';

/** The table as CSV in full precision. */
export function csvOf({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): string {
  const parts: string[] = [];
  const grid = {
    columns: columns.map(({ name, kind }) => ({ name, numeric: kind === 'number' })),
    rows: () => rows.map((row) => row.map(cellText)),
  };
  writeGrid('csv', grid, { write: (text) => void parts.push(text) });
  return parts.join('');
}

function cellText(cell: ReportCell): string {
  const value = typeof cell === 'object' && cell !== null ? cell.value : cell;
  return value === null ? '' : String(value);
}
