// breaks: feature-file-name
export const half = (amount: number) => amount / 2
