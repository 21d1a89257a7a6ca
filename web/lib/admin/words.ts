/** "pending" as it stands on a badge or a button: "Pending". */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** "1 order", "3 orders", "1,200 orders". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
