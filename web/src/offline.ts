/** The page without a network: the browser keeps its files, and nothing else. */

/** Asks the browser to keep the page, where it can: on addresses that it trusts, and for pages that were built. */
export async function keepPage(): Promise<void> {
  if (!import.meta.env.PROD || navigator.serviceWorker === undefined) return;
  const registration = await navigator.serviceWorker.register('./service-worker.js', { updateViaCache: 'none' });
  const takeOver = (): void => registration.waiting?.postMessage('take over');
  takeOver();
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed') takeOver();
    });
  });
}
