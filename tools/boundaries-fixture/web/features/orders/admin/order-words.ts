export type Words = string
