export const inWords = String
