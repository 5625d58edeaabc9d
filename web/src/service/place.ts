/** Where the service is: the page is its root. */
export const SERVICE = new URL('.', document.baseURI)
