export function checkLtr(folder: string): Promise<{ agreed: number; total: number; disagreements: string[] }>;
export { checkLtr as check };
