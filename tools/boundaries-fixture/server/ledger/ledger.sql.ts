export const insertPosting = 'insert into posting …'
