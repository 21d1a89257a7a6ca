/** The operator's notice, before buying. */
export const shopNoticeTexts = { title: 'PLEASE NOTE', understood: 'I understand' }
