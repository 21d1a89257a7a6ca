// breaks: feature-file-name
export const products = []
