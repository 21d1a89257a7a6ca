// breaks: feature-file-name
export function handleUpdate() {}
