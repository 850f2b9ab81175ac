import DefaultTheme from 'vitepress/theme';
import Classroom from './Classroom.vue';
import '../../../web/src/tokens.css';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('Classroom', Classroom);
  },
};
