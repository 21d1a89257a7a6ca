// breaks: no-inline-import-type
export type Apps = Array<import('../../../app.ts').App>
