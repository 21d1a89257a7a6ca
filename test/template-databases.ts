/** Of the embedded database of a shop. */
export const SHOP_DATABASE = 'dwadi'
/** A migrated database without rows. */
export const TEMPLATE_DATABASE = 'dwadi_template'
/** The same with the sample catalogue. */
export const CATALOGUE_DATABASE = 'dwadi_template_catalogue'
/** The role that the shop connects as; all test databases share a server, and so the role. */
export const APP_ROLE = 'dwadi_test_app'
/** When the sample catalogue was made. */
export const CATALOGUE_TIME = new Date('2026-11-21T12:00:00Z')
