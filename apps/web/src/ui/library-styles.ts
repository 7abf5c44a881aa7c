/** The component library's styles in their own cascade layer: our styles override them in any load order. */
import '@mantine/core/styles.layer.css';
import './library-mends.css';
