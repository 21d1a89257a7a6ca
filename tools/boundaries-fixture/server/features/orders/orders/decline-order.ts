// breaks: feature-file-name
export function refund() {}
