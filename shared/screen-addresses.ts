/**
 * Paths of the web app's screens, which the server answers with its page and the service worker with the page that it keeps. To every other
 * address (the API, its guide, pictures, providers' calls) the server alone answers.
 */
export const SCREEN_PATH =
  /^\/(?:app-shell|store|cart|login|register|info|track|t(?:\/[^/]+)?|s\/[^/]+|order\/[^/]+|receipt\/[^/]+|reset-password\/[^/]+|join\/[^/]+|user\/[^/]+|agent(?:\/[^/]+){0,3}|admin(?:\/[^/]+){0,3})?\/?$/
