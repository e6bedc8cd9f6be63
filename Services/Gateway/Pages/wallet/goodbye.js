// Logging out, asked for from any view.

/** Logs out; the page then shows the log-in. */
export const goodbye = () => dispatchEvent(new Event("billfold-goodbye"));
