/** The version that was released last, and the commit that is it. A release sets both (CONTRIBUTING.md, "Release"). */
export const RELEASED = { version: '0.2.0', commit: '5cd40d1bc7a0e43f0c75660e7006ed0596943f6e' }
