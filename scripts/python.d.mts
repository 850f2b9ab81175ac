export function findPython(): string | undefined;
export const noPython: string;
