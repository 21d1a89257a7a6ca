export type Message = { text: string }
