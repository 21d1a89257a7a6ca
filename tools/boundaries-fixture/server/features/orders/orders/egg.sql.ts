import type { chicken } from './chicken.sql.ts'
export const egg = (from: typeof chicken) => from
