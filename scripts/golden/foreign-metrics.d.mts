export function checkMetrics(folder: string): Promise<{ agreed: number; total: number; disagreements: string[] }>;
export { checkMetrics as check };
