import type { chicken } from './chicken.ts'
export const egg = (from: typeof chicken) => from
