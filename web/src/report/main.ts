/** The components of the app inside a saved report: they take the place of the page as it stands in the file. */
import { mount } from 'svelte';
import '../styles.css';
import ReportPage from './ReportPage.svelte';

const target = document.getElementById('gradus-app');
const data = document.getElementById('gradus-report')?.textContent;
if (target !== null && data) {
  mount(ReportPage, { target, props: { report: JSON.parse(data) } });
  document.body.classList.add('gradus-live');
}
