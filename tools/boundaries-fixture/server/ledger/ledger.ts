export type Entry = { key: string }
export const postEntry = (entry: Entry) => entry
